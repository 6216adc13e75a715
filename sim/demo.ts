import { parseArgs } from 'node:util'
import { runDemo } from './demo/runDemo.ts'

process.exitCode = await main()

/** `node --import tsx sim/demo.ts --url http://localhost:3000`: drives laps until Ctrl-C. */
async function main(): Promise<number> {
  try {
    const { values } = parseArgs({ options: { url: { type: 'string' } } })
    const url = values.url && URL.canParse(values.url) ? new URL(values.url).origin : null
    if (!url) throw new Error('--url is missing: an address such as http://localhost:3000.')
    const demo = await runDemo({ url, print: console.log, devToken: process.env.DEV_TOKEN ?? '' })
    const stop = () => void demo.stop()
    process.once('SIGINT', stop)
    process.once('SIGTERM', stop)
    await demo.ended
    return 0
  } catch (error) {
    if (!(error instanceof Error)) throw error
    console.error(error.message)
    return 1
  }
}
