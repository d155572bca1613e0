export { type Difference, differencesOf } from '@waybill/client/words';
