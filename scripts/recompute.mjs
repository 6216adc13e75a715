// npm run recompute -- --session ID: computes the laps of a session again.
import { runBuilt } from './run.mjs'

await runBuilt('recompute')
