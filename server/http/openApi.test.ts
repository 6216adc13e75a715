import pino from 'pino'
import { expect, test } from 'vitest'
import { createHttp } from './server.ts'

test('the OpenAPI document is built before the server listens', async () => {
  const app = await createHttp({
    log: pino({ level: 'silent' }),
    trustProxy: [],
    publicUrl: () => 'https://pit.example',
    openApiAtStart: true,
  })
  await app.ready()
  app.swagger = () => {
    throw new Error('This blocks the live channel.')
  }
  const { statusCode, body } = await app.inject('/api/openapi.json')
  expect([statusCode, JSON.parse(body)]).toMatchObject([200, { info: { title: 'Pitboard' } }])
  await app.close()
})
