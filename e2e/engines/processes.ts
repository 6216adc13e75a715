import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { Readable } from 'node:stream'

/** Returns the path of the first of these programs that is installed, or null. */
export async function findProgram(names: readonly string[]): Promise<string | null> {
  for (const name of names) {
    for (const folder of (process.env.PATH ?? '').split(delimiter)) {
      const file = join(folder, name)
      if (await isExecutable(file)) return file
    }
  }
  return null
}

function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  )
}

/** Reads the output of a process until the pattern matches and returns its first group. */
export async function firstMatch(output: Readable, pattern: RegExp): Promise<string> {
  let text = ''
  output.setEncoding('utf8')
  for await (const chunk of output.iterator({ destroyOnReturn: false })) {
    text += chunk
    const found = pattern.exec(text)?.[1]
    if (found === undefined) continue
    output.resume()
    return found
  }
  throw new Error(`A browser ended before it was ready: ${text}`)
}

/** Ends a process and waits until it has ended. */
export async function stop(child: ChildProcess) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = once(child, 'exit')
  child.kill()
  await exited
}
