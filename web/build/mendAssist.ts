import type { Plugin } from 'vite'
import { mends, promptModule } from './mends.ts'

/** Mends the tracker's support add-on while the app is built. `prompt` is the path of our own prompt. */
export function mendAssist(prompt: string): Plugin {
  const mended = new Set<string>()
  return {
    name: 'pitboard:mend-assist',
    enforce: 'pre',
    buildStart: () => mended.clear(),
    resolveId: id => (id === promptModule ? prompt : null),
    transform(text, id) {
      const path = id.replaceAll('\\', '/')
      const file = Object.keys(mends).find(each => path.endsWith(`/node_modules/${each}`))
      if (file === undefined) return null
      mended.add(file)
      return { code: mend(file, text), map: null }
    },
    // A file that is gone or elsewhere would leave what is wrong with it as it was.
    generateBundle() {
      const missed = Object.keys(mends).filter(file => !mended.has(file))
      if (mended.size > 0 && missed.length > 0) {
        throw new Error(`There is no ${missed.join(', ')} to mend any more`)
      }
    },
  }
}

/** The text of a file with all that is wrong with it mended. Throws where one place is not there exactly once. */
export function mend(file: string, text: string): string {
  return (mends[file] ?? []).reduce((mended, { from, to, why }) => {
    const [before, after, ...more] = mended.split(from)
    if (before === undefined || after === undefined || more.length > 0) {
      throw new Error(`${file} is another one, and not mended: ${why}`)
    }
    return before + to + after
  }, text)
}
