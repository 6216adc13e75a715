// npm start: installs what is missing, builds what is out of date, serves.
import { ensureInstalled } from './run.mjs'

await ensureInstalled()
const { ensureBuilt } = await import('./build.mjs')
await ensureBuilt()
process.env.NODE_ENV ??= 'production'
process.setSourceMapsEnabled(true)
await import('../dist/server/main.js')
