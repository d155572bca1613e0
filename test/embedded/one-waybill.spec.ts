import { Inject, Injectable, Logger, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { jest } from '@jest/globals';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { WAYBILL, type Waybill, WaybillModule } from '../../src/index.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';

let database: TestDatabase;
beforeAll(async () => (database = await createTestDatabase()));
afterAll(() => database.drop());

@Injectable()
class Shop {
  constructor(@Inject(WAYBILL) readonly waybill: Waybill) {}
}

@Injectable()
class Post {
  constructor(@Inject(WAYBILL) readonly waybill: Waybill) {}
}

/** Two modules that import Waybill each for itself. */
function application(optionsOfPost: object = {}) {
  const options = { databaseUrl: database.url, roles: [] };

  @Module({ imports: [WaybillModule.forRoot({ ...options, log: () => undefined })], providers: [Shop] })
  class ShopModule {}
  @Module({
    imports: [WaybillModule.forRootAsync({ useFactory: () => ({ ...options, ...optionsOfPost }) })],
    providers: [Post],
  })
  class PostModule {}
  @Module({ imports: [ShopModule, PostModule] })
  class AppModule {}
  return AppModule;
}

it('given one configuration in two modules of an application, they have one Waybill, until the application ends', async () => {
  const app = await NestFactory.createApplicationContext(application(), { logger: false });
  const { waybill } = app.get(Shop);
  // Not compared by 'toBe', which would print both.
  expect(app.get(Post).waybill === waybill).toBe(true);
  await waybill.queue('one').define();
  await app.close();
  await expect(waybill.queue('one').get()).rejects.toMatchObject({ name: 'WaybillUnavailable' });
});

it('given two configurations, or two applications, each has its own', async () => {
  const [app, other] = [
    await NestFactory.createApplicationContext(application({ actor: 'post' }), { logger: false }),
    await NestFactory.createApplicationContext(application(), { logger: false }),
  ];
  expect(new Set([app.get(Shop), app.get(Post), other.get(Shop)].map(({ waybill }) => waybill)).size).toBe(3);
  await app.close();
  await other.get(Shop).waybill.queue('other').define();
  await other.close();
});

it("given an application's own data source, nobody is told that it is there twice", async () => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  @Module({
    imports: [
      TypeOrmModule.forRoot({ type: 'postgres', url: database.url, retryAttempts: 0 }),
      application({ actor: 'a' }),
    ],
  })
  class AppModule {}
  const app = await NestFactory.createApplicationContext(AppModule, { logger: false });
  expect(await app.get(DataSource).query('select 1 as one')).toEqual([{ one: 1 }]);
  await app.close();
  expect(warn.mock.calls).toEqual([]);
  warn.mockRestore();
});

describe('given an application that reads integers and times of Postgres in its own way', () => {
  const parsers = ([20, 1184] as const).map((type) => [type, pg.types.getTypeParser(type)] as const);
  beforeAll(() => {
    pg.types.setTypeParser(20, BigInt);
    pg.types.setTypeParser(1184, (text) => text);
  });
  afterAll(() => parsers.forEach(([type, parse]) => pg.types.setTypeParser(type, parse)));

  it('Waybill answers as ever', async () => {
    const app = await NestFactory.createApplicationContext(application(), { logger: false });
    const { waybill } = app.get(Shop);
    await waybill.queue('own-way').define();
    const { id } = await waybill.queue('own-way').enqueue({}, { dueAt: new Date('2026-01-01') });
    expect(await waybill.task(id).get()).toMatchObject({ state: 'pending', dueAt: '2026-01-01T00:00:00.000Z' });
    expect(await waybill.task(id).why()).toMatchObject({ state: 'pending', rank: 1 });
    expect(await waybill.queue('own-way').get()).toMatchObject({ name: 'own-way', state: 'active' });
    await app.close();
  });
});
