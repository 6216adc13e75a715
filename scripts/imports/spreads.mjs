/** Methods and functions that take each value of a spread list as an argument on the stack. */
const takers = new Set(['push', 'unshift', 'splice', 'fromCharCode', 'fromCodePoint'])

/**
 * The lint rule against the spread of a list into the arguments of a call: a list of some 100,000 values exceeds the
 * stack, with a RangeError. Literal lists have few values.
 */
export const spreads = {
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
