import { join, relative } from 'node:path'
import { longitudes } from './longitudes.mjs'
import { refusal, resolve } from './rules.mjs'
import { spreads } from './spreads.mjs'

const root = join(import.meta.dirname, '../..')

/** The lint rule that applies rules.mjs, also in the editor. */
const imports = {
  create(context) {
    const file = relative(root, context.filename)
    function check({ source, importKind, exportKind }) {
      if (typeof source?.value !== 'string') return
      if (importKind === 'type' || exportKind === 'type') return
      const reason = refusal(resolve(file, source.value))
      if (reason) {
        context.report({ node: source, message: `${reason} See scripts/imports/rules.mjs.` })
      }
    }
    return {
      ImportDeclaration: check,
      ImportExpression: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
    }
  },
}

// The linter loads the default export.
export default { meta: { name: 'pitboard' }, rules: { imports, longitudes, spreads } }
