export * from 'waybill/testing';
