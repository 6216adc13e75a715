// npm start: installs what is missing, builds what is out of date, serves.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ensureInstalled, root } from './run.mjs'

await ensureInstalled()
const { ensureBuilt } = await import('./build.mjs')
await ensureBuilt()
process.env.NODE_ENV ??= 'production'
const settings = join(root, '.env')
if (existsSync(settings)) process.loadEnvFile(settings)
process.setSourceMapsEnabled(true)
await import('../dist/server/main.js')
