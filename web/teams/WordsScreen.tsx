import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useParams } from 'react-router'
import type { OwnWord } from '#contract/ownWords.ts'
import { maxOwnWords } from '#contract/shared/ownWords.ts'
import { TeamPage } from '#web/account/TeamPage.tsx'
import { useIsViewer } from '#web/api/useIsViewer.ts'
import { useWords } from '#web/message/useWords.ts'
import { wordsText } from '#web/text/words.ts'
import { Button } from '#web/ui/Button.tsx'
import { PlateLook } from '#web/ui/board/FittedPlate.tsx'
import { IconButton } from '#web/ui/IconButton.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { useCameFrom } from '#web/ui/useCameFrom.ts'
import { Stack } from '#web/ui/Wrap.tsx'
import { useRemoveWord } from './useSaveWord.tsx'
import { WordDialog } from './WordDialog.tsx'
import styles from './Words.module.css'

export function WordsScreen() {
  const { teamId = '' } = useParams()
  const words = useWords(teamId, `team:${teamId}`)
  const cameFrom = useCameFrom()
  return (
    <TeamPage page={wordsText.page} sub={wordsText.hint} {...cameFrom}>
      {words.data ? (
        <Words teamId={teamId} words={words.data} />
      ) : (
        <NotLoaded query={words} loading={wordsText.loading} failed={wordsText.failed} />
      )}
    </TeamPage>
  )
}

function Words({ teamId, words }: { teamId: string; words: readonly OwnWord[] }) {
  const viewer = useIsViewer(teamId)
  const remove = useRemoveWord(teamId)
  // Null adds a word; undefined closes the dialog.
  const [edited, setEdited] = useState<OwnWord | null | undefined>()
  const isFull = words.length >= maxOwnWords
  return (
    <Stack>
      {viewer && <p>{wordsText.viewOnly}</p>}
      <ul className={styles.words} aria-label={wordsText.page}>
        {words.map(word => (
          <li key={word.id}>
            <PlateLook tone={word.colour}>{word.text}</PlateLook>
            <span className={styles.colour}>{wordsText.colours[word.colour]}</span>
            {!viewer && (
              <Actions
                name={word.text}
                onChange={() => setEdited(word)}
                onRemove={() => remove(word)}
              />
            )}
          </li>
        ))}
      </ul>
      {words.length === 0 && (
        <p className={styles.hint}>{viewer ? wordsText.none : wordsText.addFirst}</p>
      )}
      {!viewer && (
        <div className={styles.add}>
          <Button variant="quiet" narrow disabled={isFull} onClick={() => setEdited(null)}>
            <Plus size={22} aria-hidden />
            {wordsText.add}
          </Button>
          {isFull && <span>{wordsText.full}</span>}
        </div>
      )}
      {edited !== undefined && (
        <WordDialog
          teamId={teamId}
          words={words}
          word={edited}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Stack>
  )
}

interface ActionsProps {
  name: string
  onChange: () => void
  onRemove: () => void
}

function Actions({ name, onChange, onRemove }: ActionsProps) {
  return (
    <span className={styles.actions}>
      <IconButton
        label={wordsText.change(name)}
        icon={<Pencil size={20} aria-hidden />}
        onPress={onChange}
      />
      <IconButton
        label={wordsText.remove(name)}
        icon={<Trash2 size={20} aria-hidden />}
        onPress={onRemove}
      />
    </span>
  )
}
