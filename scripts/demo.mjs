// npm run demo: the whole product with a team and three cars in a race, only for this machine.
import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { readCommandLine } from './commandLine.mjs'
import { ensureInstalled, root } from './run.mjs'

readCommandLine({ usage: 'npm run demo' })
await ensureInstalled()
const { ensureBuilt } = await import('./build.mjs')
await ensureBuilt()

// The terminal shows only the links; mails and log lines are written to a file.
const dataDir = process.env.DATA_DIR || join(root, 'data', 'demo')
mkdirSync(dataDir, { recursive: true, mode: 0o700 })
const log = openSync(join(dataDir, 'server.log'), 'w', 0o600)

// With it the cars sign in, and the links open the pages under /dev.
const devToken = randomBytes(16).toString('base64url')

const server = fork(join(root, 'dist/server/main.js'), {
  stdio: ['ignore', log, 'inherit', 'ipc'],
  // Clears settings of a real server, so that the demo uses only this machine.
  env: {
    ...process.env,
    DATA_DIR: dataDir,
    HOST: '127.0.0.1',
    PUBLIC_URL: '',
    DEV: '1',
    DEV_TOKEN: devToken,
    DATABASE_URL: '',
    NATS_URL: '',
    SMTP_URL: '',
    GOOGLE_CLIENT_ID: '',
    GOOGLE_CLIENT_SECRET: '',
    S3_BUCKET: '',
    S3_ENDPOINT: '',
    S3_REGION: '',
    S3_ACCESS_KEY_ID: '',
    S3_SECRET_ACCESS_KEY: '',
  },
})
let car
server.once('message', ({ url }) => {
  car = fork(join(root, 'sim/demo.ts'), ['--url', url], {
    execArgv: ['--import', 'tsx'],
    cwd: root,
    env: { ...process.env, DEV_TOKEN: devToken },
  })
  car.once('exit', code => {
    process.exitCode ||= code ?? 1
    server.kill('SIGTERM')
  })
})
server.once('exit', code => {
  process.exitCode ||= code ?? 1
  car?.kill('SIGTERM')
})
// Ctrl-C reaches both child processes; this process only waits for them.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {
  server.kill('SIGTERM')
  car?.kill('SIGTERM')
})
