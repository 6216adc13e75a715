import { copyFile, mkdir, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'

/** How to handle an entry of a copied folder, by its name. */
export type Treatment = 'copy' | 'leave out' | 'empty folder'

interface CopyOptions {
  readonly treatmentOf?: (name: string) => Treatment
  readonly signal?: AbortSignal | undefined
}

/**
 * Copies a folder recursively, so that the copy survives a power cut. Skips files that are removed during the
 * copy. Asynchronous, so it does not block the server. Rejects between two files once `signal` is aborted.
 */
export async function copyTree(
  from: string,
  to: string,
  { treatmentOf = () => 'copy', signal }: CopyOptions = {},
) {
  await mkdir(to, { mode: 0o700 })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    signal?.throwIfAborted()
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    const treatment = treatmentOf(entry.name)
    if (treatment === 'leave out') continue
    if (treatment === 'empty folder') await mkdir(target, { mode: 0o700 })
    else if (entry.isDirectory()) await copyTree(source, target, { treatmentOf, signal })
    else await copySynced(source, target).catch(ignoreMissing)
  }
  await syncFolder(to)
}

/** Copies and syncs one file. Its name survives a power cut once its folder is synced. */
export async function copySynced(source: string, target: string) {
  await copyFile(source, target)
  await sync(target, 'r+')
}

/** Makes the entries of a folder survive a power cut. */
export async function syncFolder(folder: string) {
  // Windows cannot open a folder as a file, and journals names itself.
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

/** For `catch`: ignores that a file or folder does not exist. */
export function ignoreMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
  throw error
}
