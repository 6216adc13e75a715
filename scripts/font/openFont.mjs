// Reads compressed fonts, for npm run word and tests.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fontkit from 'fontkit'
import wawoff2 from 'wawoff2'
import { root } from '../run.mjs'

/**
 * Opens a WOFF2 file. Not for several files at the same time: the decompressor reuses its memory.
 * @param {string} file Path relative to the project.
 */
export async function openFont(file) {
  return fontkit.create(Buffer.from(await wawoff2.decompress(readFileSync(join(root, file)))))
}
