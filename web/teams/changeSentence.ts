import type { TeamChange } from '#contract/teamChanges.ts'
import { historyText, isThingChange } from '#web/text/history.ts'

/** Names a change of the team. A newer server may send a kind that this app does not know. */
export function changeSentence({ kind, actor, person, before, after }: TeamChange): string {
  const somebody = historyText.somebody
  if (kind === 'renamed') return historyText.renamed(actor ?? somebody, before ?? '', after ?? '')
  if (kind === 'word-added' || kind === 'word-changed' || kind === 'word-removed')
    return historyText.word[kind](actor ?? somebody, before ?? '', after ?? '')
  if (isThingChange(kind)) {
    const sentence = historyText.things[kind]
    return sentence(actor ?? somebody, after ?? historyText.noName, before ?? person)
  }
  const sentence = historyText.kinds[kind] ?? historyText.otherChange
  const by = kind === 'invitation-declined' ? person : actor
  return sentence(by ?? somebody, person ?? somebody)
}
