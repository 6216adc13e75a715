// npm start: installs packages and builds if needed, then serves. With --paddock it speaks HTTPS without internet.
import { readCommandLine } from './commandLine.mjs'
import { runBuilt } from './run.mjs'

const { values } = readCommandLine({
  usage: 'npm start [-- --paddock]',
  options: { paddock: { type: 'boolean' } },
})
await runBuilt('main', () => {
  if (values.paddock) process.env.HTTPS = 'paddock'
  // Without PUBLIC_URL and HTTPS the server is local only, and DEV shows sign-in codes in the browser.
  if (!process.env.PUBLIC_URL && !process.env.HTTPS) process.env.DEV ||= '1'
})
