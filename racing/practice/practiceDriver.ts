/** Time until a message is on the practice driver's screen. */
export const shownAfterMs = 200

/** How long the practice driver looks at a message before an answer. */
const readsForMs = 3000

/** The reaction of the practice driver to a message, `afterMs` after it is on the screen. */
export interface PracticeReaction {
  readonly afterMs: number
  /** `yes` answers a question, `copy` acknowledges, `none` only obeys: an empty screen has nothing to acknowledge. */
  readonly act: 'yes' | 'copy' | 'none'
  /** The message that the car obeys from then on; undefined for a question, which changes nothing. */
  readonly obeys?: string | null
}

/** Returns how the practice driver reacts to a message; `type` is null for an empty screen. */
export function practiceReaction(message: {
  type: string | null
  ask?: boolean | undefined
}): PracticeReaction {
  const { type, ask } = message
  if (type === null) return { afterMs: 0, act: 'none', obeys: null }
  return ask
    ? { afterMs: readsForMs, act: 'yes' }
    : { afterMs: readsForMs, act: 'copy', obeys: type }
}
