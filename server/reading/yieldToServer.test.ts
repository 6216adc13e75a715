import { spawn } from 'node:child_process'
import { getPriority } from 'node:os'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { importable } from '#testing/bundleThreads.ts'

/** The arguments of Node for a program that uses `yieldToServer.ts`. */
async function program(code: string): Promise<string[]> {
  const [options, file] = await importable(`${import.meta.dirname}/yieldToServer.ts`)
  const start = `
    import { readdirSync } from 'node:fs'
    import { getPriority, setPriority } from 'node:os'
    import { exitWithServer, yieldToServer } from '${file}'`
  return [...options, '--input-type=module', '-e', `${start}\n${code}`]
}

async function outputOf(code: string): Promise<string> {
  const child = spawn(process.execPath, await program(code), {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return (await text(child.stdout)).trim()
}

const isLinux = process.platform === 'linux'

test.runIf(isLinux)('all threads have a low priority', async () => {
  const code = `
    yieldToServer()
    const all = readdirSync('/proc/self/task').map(id => getPriority(Number(id)))
    console.log(Math.min(...all))`
  expect(await outputOf(code)).toBe(`${Math.max(5, getPriority())}`)
})

test.runIf(isLinux)(
  'a priority that is lower already is not raised, which needs rights',
  async () => {
    expect(await outputOf('setPriority(15); yieldToServer(); console.log(getPriority())')).toBe(
      '15',
    )
  },
)

test.skipIf(process.platform === 'win32')(
  'a process ends after a server that was killed',
  async () => {
    // It does not come back to its timers, like a process that reads.
    const busy = await program('exitWithServer(process.ppid); console.log("reading"); for (;;);')
    const server = spawn(
      process.execPath,
      [
        '-e',
        `require('node:child_process').spawn(process.execPath, ${JSON.stringify(busy)}, { stdio: 'inherit' })`,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    let output = ''
    for await (const part of server.stdout) {
      output += String(part)
      server.kill('SIGKILL')
    }
    // Its output ends only with both processes.
    expect(output).toBe('reading\n')
  },
)
