import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

/** Limits compressed by gzip: of the engine that times laps on a known circuit, and with delta and stops in the pits. */
const engineBytes = 9200
const phoneBytes = 10_800

const fixedCircuit = `export * from './circuits/fixedCircuit.ts'`

async function bundled(contents: string) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: import.meta.dirname, loader: 'ts' },
    bundle: true,
    minify: true,
    format: 'esm',
    splitting: true,
    outdir: join(import.meta.dirname, 'bundle'),
    write: false,
    metafile: true,
    logLevel: 'silent',
  })
  // The entry and its static imports; what is loaded later is in other outputs.
  const outputs = new Set(Object.keys(metafile.outputs).slice(0, 1))
  for (const output of outputs)
    for (const { kind, path } of metafile.outputs[output]?.imports ?? [])
      if (kind === 'import-statement') outputs.add(path)
  const sizes = [...outputs].flatMap(output =>
    Object.entries(metafile.outputs[output]?.inputs ?? {}),
  )
  const files = sizes.map(([file]) => file).filter(file => file.startsWith('racing/'))
  const bytes = gzipSync(outputFiles[0]?.contents ?? '', { level: 9 }).length
  return { bytes, sizes, files: files.toSorted() }
}

test('the lap engine is at most 9.2 kB, without the search for an unknown circuit', async () => {
  const engine = await bundled(`${fixedCircuit}\nexport * from './laps/driveTimer.ts'`)
  expect(engine.files).toContain('racing/laps/lapTimer.ts')
  // A failure lists the sizes of all files.
  expect(engine.bytes > engineBytes ? engine : null).toBeNull()
})

test('with delta and stops in the pits, the engine is at most 10.8 kB', async () => {
  const phone = await bundled(`${fixedCircuit}\nexport * from './laps/liveDrive.ts'`)
  expect(phone.bytes > phoneBytes ? phone : null).toBeNull()
})
