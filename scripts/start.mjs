// npm start: installs what is missing, builds what is out of date, serves.
import { ensureInstalled, readSettings } from './run.mjs'

await ensureInstalled()
const { ensureBuilt } = await import('./build.mjs')
await ensureBuilt()
process.env.NODE_ENV ??= 'production'
readSettings()
// Whoever tries it reads the sign-in codes in a browser; whoever publishes it says where people open it.
if (!process.env.PUBLIC_URL) process.env.DEV ||= '1'
process.setSourceMapsEnabled(true)
await import('../dist/server/main.js')
