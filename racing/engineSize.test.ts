import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

/** Limit for the engine that times laps, compressed by gzip. */
const limitBytes = 8000

test('the lap engine is at most 8 kB, without shipped outlines and learning', async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(import.meta.dirname, 'laps/driveTimer.ts')],
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
    metafile: true,
    external: ['#contract/circuits/*'],
    logLevel: 'silent',
  })
  const totalBytes = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length
  const sizes = Object.entries(Object.values(metafile.outputs)[0]?.inputs ?? {})
  expect(sizes.map(([file]) => file)).toContain('racing/laps/lapTimer.ts')
  // A failure lists the sizes of all files.
  expect(totalBytes > limitBytes ? { totalBytes, sizes } : null).toBeNull()
})
