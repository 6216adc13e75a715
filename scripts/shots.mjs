// npm run shots [part of a name…]: saves screenshots of every screen in every state to shots/.
// npm run shots -- --check [part of a name…]: lists what does not fit on them at more sizes.
// npm run shots guide: takes the pictures of the documents from the demo.
import { ensureChromium } from './environment/chromium.mjs'
import { ensureInstalled, mustSucceed, run } from './run.mjs'

await ensureInstalled()
const { ensureBuilt } = await import('./build.mjs')
await ensureBuilt()
const chromium = await ensureChromium()
if (!chromium) process.exit(1)
await mustSucceed(
  run(process.execPath, ['--import', 'tsx', 'e2e/shots.ts', ...process.argv.slice(2)], {
    CHROMIUM_PATH: chromium,
  }),
  process.argv.includes('--check') ? 'The check of the layouts' : 'Taking the screenshots',
)
