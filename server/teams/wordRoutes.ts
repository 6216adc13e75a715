import type { words } from '#contract/words.ts'
import type { AppContext, Caller } from '../context.ts'
import { handlersOf } from '../handlers.ts'
import type { HandlersOf } from '../http/route.ts'
import { ownWords, removeWord, saveWord } from './ownWords.ts'

export function wordCalls(context: AppContext): HandlersOf<typeof words, Caller> {
  return {
    list: handlersOf(context).forMembers((db, { teamId }) => ownWords(db, teamId)),
    save: ({ input, caller }) => saveWord(context, caller.userId, input),
    remove: ({ input, caller }) => removeWord(context, caller.userId, input),
  }
}
