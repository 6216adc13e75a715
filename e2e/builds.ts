import { createHash } from 'node:crypto'
import { cpSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt } from '../scripts/build.mjs'

const root = join(import.meta.dirname, '..')

/**
 * Creates another build in a folder of the project, and returns the folder: a copy of the usual one that differs in its
 * version and in the names of all its files. Building takes ten times the processor time. Two processes at the same time
 * must not use the same folder.
 */
export async function buildNext(folder: string): Promise<string> {
  await ensureBuilt()
  const from = join(root, 'dist')
  const to = join(root, folder)
  rmSync(to, { recursive: true, force: true })
  for (const part of ['web', 'server'])
    cpSync(join(from, part), join(to, part), {
      recursive: true,
      // The server compresses files without a compressed copy.
      filter: path => !/\.(br|gz)$/.test(path),
    })
  const web = join(to, 'web')
  const assets = readdirSync(join(web, 'assets'))
  const changes = new Map(assets.map(name => [name, nextName(name)]))
  const { version } = JSON.parse(readFileSync(join(web, 'version.json'), 'utf8'))
  changes.set(version, `${version}.next`)
  for (const name of assets)
    renameSync(join(web, 'assets', name), join(web, 'assets', nextName(name)))
  const page = readFileSync(join(web, 'index.html'))
  for (const path of readdirSync(web, { recursive: true, encoding: 'utf8' }))
    if (/\.(css|html|js|json)$/.test(path)) replaceIn(join(web, path), changes)
  // The service worker caches only the page with this hash.
  const nextPage = readFileSync(join(web, 'index.html'))
  replaceIn(join(web, 'sw.js'), new Map([[hashOf(page), hashOf(nextPage)]]))
  return folder
}

/** Changes the first character of the hash at the end of a file's name. */
function nextName(name: string): string {
  return name.replace(
    /-(.)(.{6}\.\w+)$/,
    (_, first, rest) => `-${first === '_' ? '0' : '_'}${rest}`,
  )
}

function replaceIn(file: string, changes: ReadonlyMap<string, string>) {
  let text = readFileSync(file, 'utf8')
  for (const [from, to] of changes) text = text.replaceAll(from, to)
  writeFileSync(file, text)
}

function hashOf(page: Buffer): string {
  return createHash('sha384').update(page).digest('base64')
}
