import type { words } from '#contract/words.ts'
import type { AppContext, Caller } from '../context.ts'
import type { HandlersOf } from '../http/route.ts'
import { requireMember } from '../rights/requireMember.ts'
import { ownWords, removeWord, saveWord } from './ownWords.ts'

export function wordCalls(context: AppContext): HandlersOf<typeof words, Caller> {
  const { db } = context
  return {
    async list({ input: { teamId }, caller }) {
      await requireMember(db, teamId, caller.userId)
      return ownWords(db, teamId)
    },

    save: ({ input, caller }) => saveWord(context, caller.userId, input),

    remove: ({ input, caller }) => removeWord(context, caller.userId, input),
  }
}
