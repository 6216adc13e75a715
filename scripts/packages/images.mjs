// npm run images: writes the current digest of each container image to deploy/images.env.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCommandLine } from '../commandLine.mjs'
import { root } from '../run.mjs'

const file = join(root, 'deploy/images.env')
const imageLine = /^([A-Z]+_IMAGE)=([^@\s]+)(?:@(sha256:[0-9a-f]{64}))?$/gm

/** Returns names and tags of images without a digest, such as `caddy:2.10-alpine`. */
export function unpinnedImages() {
  const images = [...readFileSync(file, 'utf8').matchAll(imageLine)]
  if (images.length === 0) throw new Error(`${file} lists no image`)
  return images.filter(([, , , digest]) => !digest).map(([, , tag]) => tag)
}

/** Returns the digest of the manifest list of a tag, the same for all processor architectures. */
function digestOf(tag) {
  const format = '{{json .Manifest}}'
  const inspected = execFileSync(
    'docker',
    ['buildx', 'imagetools', 'inspect', tag, '--format', format],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const { digest } = JSON.parse(inspected)
  if (!/^sha256:[0-9a-f]{64}$/.test(digest)) throw new Error(`${tag} has no digest: ${inspected}`)
  return digest
}

if (process.argv[1] === import.meta.filename) {
  readCommandLine({ usage: 'npm run images' })
  try {
    const pinned = readFileSync(file, 'utf8').replace(
      imageLine,
      (_line, name, tag) => `${name}=${tag}@${digestOf(tag)}`,
    )
    writeFileSync(file, pinned)
    console.log(`Pinned all images in ${file}`)
  } catch (error) {
    console.error(`Failed to read the digests, nothing was changed: ${error.message}`)
    process.exitCode = 1
  }
}
