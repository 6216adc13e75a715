import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { startS3Server } from '#testing/files/s3.ts'
import { type BlobStore, folderStore, StoreFailed, s3Store } from './blobStore.ts'

interface Place extends AsyncDisposable {
  store: BlobStore
}

const places: Record<string, () => Promise<Place>> = {
  'a folder': async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pitboard-blobs-'))
    return {
      store: folderStore(join(folder, 'files')),
      [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
    }
  },
  'an S3 store': async () => {
    const sink = await startS3Server()
    return {
      store: s3Store(sink.settings),
      [Symbol.asyncDispose]: () => sink[Symbol.asyncDispose](),
    }
  },
}

describe.each(Object.entries(places))('%s', (_name, open) => {
  test('returns the stored bytes unchanged', async () => {
    await using place = await open()
    const bytes = randomBytes(3_000_000)
    await place.store.put('team/one', bytes)
    expect((await contentOf(place.store, 'team/one')).equals(bytes)).toBe(true)
  })

  test('returns null for a key that was never stored', async () => {
    await using place = await open()
    expect(await place.store.read('team/one')).toBeNull()
  })

  test('returns null for a removed key, and removing is idempotent', async () => {
    await using place = await open()
    await place.store.put('team/one', Buffer.from('one'))
    await place.store.put('team/two', Buffer.from('two'))
    await place.store.remove('team/one')
    await place.store.remove('team/one')
    expect(await place.store.read('team/one')).toBeNull()
    expect(await contentOf(place.store, 'team/two')).toEqual(Buffer.from('two'))
  })

  test.each(['../secret', 'team/../../secret', '/etc/passwd', 'team//one', 'a\\b', 'a\0', '', '.'])(
    'refuses the invalid key %j',
    async key => {
      await using place = await open()
      await expect(place.store.put(key, Buffer.from('x'))).rejects.toThrow(RangeError)
      await expect(place.store.read(key)).rejects.toThrow(RangeError)
      await expect(place.store.remove(key)).rejects.toThrow(RangeError)
    },
  )
})

describe('a folder', () => {
  test('only its owner can enter, and it never has a half-written file', async () => {
    await using folder = await temporaryFolder()
    const files = join(folder.path, 'files')
    const store = folderStore(files)
    await Promise.all(
      Array.from({ length: 20 }, (_, n) => store.put('team/one', Buffer.alloc(100_000, n))),
    )
    expect((await stat(files)).mode & 0o077).toBe(0)
    expect(new Set(await readdir(join(files, 'team')))).toEqual(new Set(['one', 'one.meta.json']))
    expect(new Set(await contentOf(store, 'team/one')).size).toBe(1)
  })

  test('does not follow a link out of it', async () => {
    await using folder = await temporaryFolder()
    const store = folderStore(join(folder.path, 'files'))
    await store.put('team/one', Buffer.from('one'))
    await writeFile(join(folder.path, 'secret'), 'secret')
    await symlink(folder.path, join(folder.path, 'files', 'link'))
    await expect(store.read('link/secret')).rejects.toThrow(StoreFailed)
    await expect(store.put('link/secret', Buffer.from('x'))).rejects.toThrow(StoreFailed)
  })

  test('that cannot be created fails', async () => {
    await using folder = await temporaryFolder()
    await writeFile(join(folder.path, 'files'), 'in the way')
    const store = folderStore(join(folder.path, 'files'))
    await expect(store.put('team/one', Buffer.from('one'))).rejects.toThrow(StoreFailed)
  })
})

describe('an S3 store', () => {
  test('receives signed requests for keys in the bucket', async () => {
    await using sink = await startS3Server()
    const store = s3Store(sink.settings)
    await store.put('team/one', Buffer.from('one'))
    await contentOf(store, 'team/one')
    await store.remove('team/one')
    expect(sink.signatures).toHaveLength(3)
    for (const signature of sink.signatures) {
      expect(signature).toMatch(
        /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-west-1\/s3\/aws4_request, SignedHeaders=[^,]*host[^,]*, Signature=[0-9a-f]{64}$/,
      )
    }
  })

  test.each([
    ['wrong keys', { accessKeyId: 'WRONG' }],
    ['a missing bucket', { bucket: 'elsewhere' }],
    ['an unreachable address', { endpoint: 'http://127.0.0.1:9' }],
  ])('with %s fails', async (_what, wrong) => {
    await using sink = await startS3Server()
    const store = s3Store({ ...sink.settings, ...wrong })
    await expect(store.put('team/one', Buffer.from('one'))).rejects.toThrow(StoreFailed)
    expect(sink.objects.size).toBe(0)
  })

  test('that breaks or never responds fails', async () => {
    await using sink = await startS3Server()
    const store = s3Store(sink.settings, 50)
    sink.mood = 'broken'
    await expect(store.read('team/one')).rejects.toThrow(StoreFailed)
    await expect(store.remove('team/one')).rejects.toThrow(StoreFailed)
    sink.mood = 'silent'
    await expect(store.read('team/one')).rejects.toThrow(StoreFailed)
  })
})

async function contentOf(store: BlobStore, key: string): Promise<Buffer> {
  const found = await store.read(key)
  const content = await buffer(found!.stream)
  expect(found!.sizeBytes).toBe(content.length)
  return content
}

async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), 'pitboard-blobs-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) }
}
