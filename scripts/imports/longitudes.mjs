import { join, relative } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** The file whose functions know that longitudes continue at 180° with −180°. */
const geo = 'contract/shared/geo.ts'

const names = new Set(['longitude', 'longitudes', 'lng', 'lon'])
const calculating = new Set(['+', '-'])
const comparing = new Set(['<', '<=', '>', '>='])

/** The lint rule against plain arithmetic on longitudes: across the date line it is wrong by 360°. */
export const longitudes = {
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
