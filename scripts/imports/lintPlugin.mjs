import { join, relative } from 'node:path'
import { refusal, resolve } from './rules.mjs'

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

/** The file whose functions know that longitudes continue at 180° with −180°. */
const geo = 'contract/shared/geo.ts'

const names = new Set(['longitude', 'longitudes', 'lng', 'lon'])
const calculating = new Set(['+', '-'])
const comparing = new Set(['<', '<=', '>', '>='])

/** The lint rule against plain arithmetic on longitudes: across the date line it is wrong by 360°. */
const longitudes = {
  create(context) {
    if (relative(root, context.filename) === geo) return {}
    const report = node =>
      context.report({
        node,
        message: `Longitudes continue at 180° with −180°: use the functions of ${geo}.`,
      })
    return {
      BinaryExpression(node) {
        const { operator, left, right } = node
        const count = Number(isLongitude(left)) + Number(isLongitude(right))
        if ((calculating.has(operator) && count > 0) || (comparing.has(operator) && count === 2))
          report(node)
      },
      CallExpression(node) {
        const { object, property } = node.callee.type === 'MemberExpression' ? node.callee : {}
        const isExtreme = object?.name === 'Math' && ['min', 'max'].includes(property?.name)
        if (isExtreme && node.arguments.some(isLongitude)) report(node)
      },
    }
  },
}

function isLongitude({ type, name, property, argument }) {
  if (type === 'Identifier') return names.has(name)
  if (type === 'SpreadElement') return isLongitude(argument)
  return type === 'MemberExpression' && (names.has(property.name) || property.name === 'lo')
}

/** Methods and functions that take each value of a spread list as an argument on the stack. */
const takers = new Set(['push', 'unshift', 'splice', 'fromCharCode', 'fromCodePoint'])

/**
 * The lint rule against the spread of a list into the arguments of a call: a list of some 100,000 values exceeds the
 * stack, with a RangeError. Literal lists have few values.
 */
const spreads = {
  create(context) {
    return {
      CallExpression({ callee, arguments: values }) {
        const { object, property } = callee.type === 'MemberExpression' ? callee : {}
        const isMath = object?.type === 'Identifier' && object.name === 'Math'
        if (!isMath && !takers.has(property?.name)) return
        for (const value of values)
          if (value.type === 'SpreadElement' && !isShort(value.argument))
            context.report({
              node: value,
              message:
                'A long list exceeds the stack: use leastOf or greatestOf, or add the values in a loop.',
            })
      },
    }
  },
}

/** Returns whether a list is written out, with no other list spread into it. */
function isShort({ type, elements }) {
  return type === 'ArrayExpression' && elements.every(each => each?.type !== 'SpreadElement')
}

// The linter loads the default export.
export default { meta: { name: 'pitboard' }, rules: { imports, longitudes, spreads } }
