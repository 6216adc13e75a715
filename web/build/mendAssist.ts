import type { Plugin } from 'vite'
import { promptModule, vendorPatches } from './vendorPatches.ts'

/**
 * Vite plugin that patches the tracker's support add-on at build time. `prompt` is the path of our own
 * prompt.
 */
export function patchAssist(prompt: string): Plugin {
  const patched = new Set<string>()
  return {
    name: 'pitboard:mend-assist',
    enforce: 'pre',
    buildStart: () => patched.clear(),
    resolveId: id => (id === promptModule ? prompt : null),
    transform(text, id) {
      const path = id.replaceAll('\\', '/')
      const file = Object.keys(vendorPatches).find(each => path.endsWith(`/node_modules/${each}`))
      if (file === undefined) return null
      patched.add(file)
      return { code: applyPatches(file, text), map: null }
    },
    // A file that was moved or removed by an update would go unpatched.
    generateBundle() {
      const missed = Object.keys(vendorPatches).filter(file => !patched.has(file))
      if (patched.size > 0 && missed.length > 0) {
        throw new Error(`Cannot find ${missed.join(', ')} to patch it`)
      }
    },
  }
}

/**
 * Returns the source of a file with its patches applied. Throws unless each passage occurs exactly
 * once.
 */
export function applyPatches(file: string, text: string): string {
  return (vendorPatches[file] ?? []).reduce((patched, { from, to, why }) => {
    const [before, after, ...more] = patched.split(from)
    if (before === undefined || after === undefined || more.length > 0) {
      throw new Error(`${file} has changed, cannot patch: ${why}`)
    }
    return before + to + after
  }, text)
}
