// npm run dev: the server from source, restarted on each change, and Vite with hot reload on port 5173.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { readCommandLine } from './commandLine.mjs'
import { ensureInstalled, readSettings, root } from './run.mjs'

readCommandLine({ usage: 'npm run dev' })
await ensureInstalled()
readSettings()
if (!process.env.PUBLIC_URL) {
  process.env.DEV ||= '1'
  // The server restarts on each change; the browser's cookie stays valid.
  process.env.DEV_TOKEN ||= randomBytes(16).toString('base64url')
  // Passkeys and links in mails belong to the page that Vite serves.
  process.env.PUBLIC_URL = 'http://localhost:5173'
}
process.env.DEV_SERVER ||= `http://127.0.0.1:${process.env.PORT || 3000}`
const bin = name => join(root, 'node_modules', '.bin', name)
const options = { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' }
const children = [
  spawn(bin('tsx'), ['watch', '--clear-screen=false', 'server/main.ts'], options),
  spawn(bin('vite'), [], options),
]
let isInterrupted = false
for (const child of children) {
  child.once('exit', code => {
    process.exitCode ||= code ?? 0
    // A second signal would kill the server before it has closed its database.
    if (isInterrupted) return
    for (const other of children) other.kill('SIGTERM')
  })
}
// Ctrl-C reaches the child processes too.
process.on('SIGINT', () => {
  isInterrupted = true
})
process.on('SIGTERM', () => {
  for (const child of children) child.kill('SIGTERM')
})
