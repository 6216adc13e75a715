// npm start: installs what is missing, builds what is out of date, serves.
import { ensureInstalled, readSettings } from './run.mjs'

await ensureInstalled()
const { ensureBuilt } = await import('./build.mjs')
await ensureBuilt()
process.env.NODE_ENV ??= 'production'
readSettings()
// Without PUBLIC_URL this is a trial on one machine: the sign-in codes are shown in the browser.
if (!process.env.PUBLIC_URL) process.env.DEV ||= '1'
process.setSourceMapsEnabled(true)
await import('../dist/server/main.js')
