import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A file of the build as Vite's manifest describes it. */
interface BuiltFile {
  file: string
  name?: string
  imports?: string[]
}

/**
 * Reads which code of a build each page needs before its screen is shown. The browser would find most of it only once it
 * has run the first file. Returns the Link header for the path of a page.
 */
export async function readPageLinks(folder: string): Promise<(path: string) => string> {
  const manifest: Record<string, BuiltFile> = JSON.parse(
    await readFile(join(folder, '.vite/manifest.json'), 'utf8'),
  )
  const [signIn, drive, team] = ['sign-in', 'drive', 'shared'].map(name => linksOf(manifest, name))
  return path => {
    if (!path.startsWith('/teams')) return signIn ?? ''
    return (path.endsWith('/drive') ? drive : team) ?? ''
  }
}

/** The first file, then the one of this name with all that it imports. */
function linksOf(manifest: Record<string, BuiltFile>, name: string): string {
  const keys = new Set(['index.html'])
  for (const [key, built] of Object.entries(manifest)) if (built.name === name) keys.add(key)
  for (const key of keys) for (const imported of manifest[key]?.imports ?? []) keys.add(imported)
  return [...keys]
    .flatMap(key => manifest[key] ?? [])
    .map(({ file }) => `</${file}>; rel=modulepreload`)
    .join(', ')
}
