import { execFileSync, spawnSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, chromium } from '@playwright/test'
import { chromiumOptions } from './chromium.ts'

/** True if Debian's `libnss3-tools` are installed, which `trustPaddock` needs. */
export const hasCertutil = spawnSync('certutil', ['-H']).error === undefined

/** Launches a browser that trusts what is installed in this home folder. */
export function chromiumAtHome(home: string, args: string[] = []): Promise<Browser> {
  return chromium.launch({
    ...chromiumOptions,
    args: [...(chromiumOptions.args ?? []), ...args],
    env: { ...process.env, HOME: home },
  })
}

/** Downloads the paddock's certificate from its page without HTTPS, and trusts it, as a phone does in four steps. */
export async function trustPaddock(home: string, start: string) {
  const store = join(home, '.pki/nssdb')
  await mkdir(store, { recursive: true })
  const root = join(home, 'root.crt')
  await writeFile(root, Buffer.from(await (await fetch(`${start}/pitboard.crt`)).arrayBuffer()))
  const certutil = (...args: string[]) => execFileSync('certutil', [...args, '-d', `sql:${store}`])
  certutil('-N', '--empty-password')
  certutil('-A', '-n', 'paddock', '-t', 'C,,', '-i', root)
}
