import { copyFile, mkdir, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** What becomes of an entry of a copied folder, by its name. */
export type Treatment = 'copy' | 'leave out' | 'empty folder'

/**
 * Copies a folder with all that is in it, so that the copy survives a power cut. Files that are removed meanwhile
 * are left out, and the server goes on serving.
 */
export async function copyTree(
  from: string,
  to: string,
  treatmentOf: (name: string) => Treatment = () => 'copy',
) {
  await mkdir(to, { mode: 0o700 })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    const treatment = treatmentOf(entry.name)
    if (treatment === 'leave out') continue
    if (treatment === 'empty folder') await mkdir(target, { mode: 0o700 })
    else if (entry.isDirectory()) await copyTree(source, target, treatmentOf)
    else await copySynced(source, target).catch(ifThere)
  }
  await syncFolder(to)
}

/** Copies one file. Its name survives a power cut once its folder is synced. */
export async function copySynced(source: string, target: string) {
  await copyFile(source, target)
  await sync(target, 'r+')
}

/** Makes the names in a folder survive a power cut. */
export async function syncFolder(folder: string) {
  // Windows cannot open a folder as a file, and keeps names in its journal.
  if (process.platform !== 'win32') await sync(folder)
}

async function sync(name: string, flags = 'r') {
  const handle = await open(name, flags)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** For `catch`: a file or folder that does not exist is no error. */
export function ifThere(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
  throw error
}
