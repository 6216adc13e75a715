// npm start: installs what is missing, builds what is out of date, serves.
import { ensureInstalled, readSettings } from './run.mjs'

await ensureInstalled()
const { ensureBuilt } = await import('./build.mjs')
await ensureBuilt()
process.env.NODE_ENV ??= 'production'
readSettings()
process.setSourceMapsEnabled(true)
await import('../dist/server/main.js')
