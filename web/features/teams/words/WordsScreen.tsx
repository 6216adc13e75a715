import { useQuery } from '@tanstack/react-query'
import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useParams } from 'react-router'
import { maxOwnWords } from '#contract/shared/ownWords.ts'
import type { OwnWord } from '#contract/teams/words.ts'
import { teamQuery } from '#web/api/queries.ts'
import { refusalText } from '#web/api/refusals/refusalText.ts'
import { useIsViewer } from '#web/api/useIsViewer.ts'
import { useWords } from '#web/messages/useWords.ts'
import { appText } from '#web/text/app.ts'
import { wordsText } from '#web/text/team/words.ts'
import { teamsText } from '#web/text/teams.ts'
import { PlateLook } from '#web/ui/board/FittedPlate.tsx'
import { Button } from '#web/ui/buttons/Button.tsx'
import { IconButton } from '#web/ui/buttons/IconButton.tsx'
import { BackLink, Bar } from '#web/ui/layout/Bar.tsx'
import { PageHead } from '#web/ui/layout/PageHead.tsx'
import { usePageTitle } from '#web/ui/layout/usePageTitle.ts'
import { Wrap } from '#web/ui/layout/Wrap.tsx'
import { LoadFailed } from '#web/ui/notices/LoadFailed.tsx'
import { SkeletonRows } from '#web/ui/notices/Skeleton.tsx'
import { useRemoveWord } from './useSaveWord.tsx'
import { WordDialog } from './WordDialog.tsx'
import styles from './Words.module.css'

/** The own words of a team. */
export function WordsScreen() {
  usePageTitle(wordsText.page)
  const { teamId = '' } = useParams()
  const { data: team } = useQuery(teamQuery(teamId))
  const words = useWords(teamId, `team:${teamId}`)
  return (
    <>
      <Bar>
        <BackLink to={`/teams/${teamId}`} lead={appText.backTo}>
          {team?.name ?? teamsText.page}
        </BackLink>
      </Bar>
      <Wrap>
        <PageHead title={wordsText.page} />
        <p className={styles.hint}>{wordsText.hint}</p>
        {words.data ? (
          <Words teamId={teamId} words={words.data} />
        ) : words.error ? (
          <LoadFailed
            title={wordsText.failed}
            message={refusalText(words.error)}
            retryLabel={appText.tryAgain}
            retrying={words.isFetching}
            onRetry={() => void words.refetch()}
          />
        ) : (
          <SkeletonRows label={wordsText.loading} />
        )}
      </Wrap>
    </>
  )
}

function Words({ teamId, words }: { teamId: string; words: readonly OwnWord[] }) {
  const viewer = useIsViewer(teamId)
  const remove = useRemoveWord(teamId)
  // Null adds a word; undefined closes the dialog.
  const [edited, setEdited] = useState<OwnWord | null | undefined>()
  const isFull = words.length >= maxOwnWords
  return (
    <>
      {viewer && <p>{wordsText.viewOnly}</p>}
      <ul className={styles.words} aria-label={wordsText.page}>
        {words.map(word => (
          <li key={word.id}>
            <PlateLook tone={word.colour}>{word.text}</PlateLook>
            <span className={styles.colour}>{wordsText.colours[word.colour]}</span>
            {!viewer && (
              <span className={styles.actions}>
                <IconButton
                  label={wordsText.change(word.text)}
                  icon={<Pencil size={20} aria-hidden />}
                  onPress={() => setEdited(word)}
                />
                <IconButton
                  label={wordsText.remove(word.text)}
                  icon={<Trash2 size={20} aria-hidden />}
                  onPress={() => remove(word)}
                />
              </span>
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
      <WordDialog
        teamId={teamId}
        words={words}
        word={edited}
        onClose={() => setEdited(undefined)}
      />
    </>
  )
}
