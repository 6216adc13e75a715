// npm run recompute -- --session ID: computes the laps of a session again.
import { ensureInstalled, readSettings } from './run.mjs'

await ensureInstalled()
const { ensureBuilt } = await import('./build.mjs')
await ensureBuilt()
process.env.NODE_ENV ??= 'production'
readSettings()
process.setSourceMapsEnabled(true)
await import('../dist/server/recompute.js')
