import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { testDataDir } from '#testing/database/database.ts'
import { proxiedPostgres } from '#testing/database/proxiedPostgres.ts'
import { freePort } from '#testing/freePort.ts'
import { hasNats, startNats } from '#testing/live/nats.ts'
import { quickStart } from '#testing/quickStart.ts'

const program = join(import.meta.dirname, '../../dist/server/main.js')

const postgres = hasNats ? await proxiedPostgres() : null
const natsPort = await freePort()
const nats = postgres && (await startNats(natsPort))
afterAll(async () => {
  await nats?.stop()
  await postgres?.stop()
})

/** Starts a server with these settings, which fails. Returns its exit code and the error that it printed. */
async function failedStart(settings: Record<string, string>) {
  await using directory = await testDataDir()
  const server = fork(program, {
    execArgv: [...quickStart],
    env: {
      ...process.env,
      PORT: '0',
      DATA_DIR: directory.dataDir,
      DATABASE_URL: postgres?.url,
      NATS_URL: `nats://127.0.0.1:${natsPort}`,
      LOG_LEVEL: 'silent',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  onTestFinished(() => void server.kill('SIGKILL'))
  let output = ''
  server.stderr?.on('data', text => {
    output += String(text)
  })
  const [code] = await once(server, 'exit')
  return { code, output }
}

/** Accepts connections to the NATS server, and passes them on after `before`. */
async function natsAfter(before: () => Promise<void>) {
  const gate = createServer(client => {
    void before().then(() => client.pipe(connect(natsPort, '127.0.0.1')).pipe(client))
  }).listen(0, '127.0.0.1')
  await once(gate, 'listening')
  return {
    url: `nats://127.0.0.1:${(gate.address() as { port: number }).port}`,
    [Symbol.dispose]: () => gate.close(),
  }
}

test.runIf(postgres)('a node that loses PostgreSQL during its start exits', async () => {
  using gate = await natsAfter(async () => postgres?.halt())
  const { code, output } = await failedStart({ NATS_URL: gate.url })
  await postgres?.resume()
  expect(code).toBe(1)
  expect(output).toMatch(/ECONNREFUSED|terminat/)
})

test.runIf(postgres)('a node that does not reach NATS exits', async () => {
  const { code, output } = await failedStart({ NATS_URL: `nats://127.0.0.1:${await freePort()}` })
  expect(code).toBe(1)
  expect(output).toContain('cannot connect to the NATS server')
})

test.runIf(postgres)('a node whose port is in use exits', async () => {
  const { code, output } = await failedStart({ PORT: String(natsPort) })
  expect(code).toBe(1)
  expect(output).toContain('Cannot listen on HOST and PORT')
})
