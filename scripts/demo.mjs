// npm run demo: the whole product with a team, two members and a car lapping Spa. Only on this machine.
import { fork } from 'node:child_process'
import { join } from 'node:path'
import { ensureInstalled, root } from './run.mjs'

await ensureInstalled()
const { ensureBuilt } = await import('./build.mjs')
await ensureBuilt()

const server = fork(join(root, 'dist/server/main.js'), {
  env: { DATA_DIR: join(root, 'data', 'demo'), ...process.env, HOST: '127.0.0.1', SMTP_URL: '' },
})
let car
server.once('message', ({ url }) => {
  car = fork(join(root, 'sim/demo.ts'), ['--url', url], {
    execArgv: ['--import', 'tsx'],
    cwd: root,
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
// Ctrl-C reaches both; this process only waits for them.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {
  server.kill('SIGTERM')
  car?.kill('SIGTERM')
})
