import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import type { OutputOf } from '#contract/api.ts'
import { deskText } from '#support/web/text/desk.ts'
import { Button } from '#web/ui/Button.tsx'
import { CopyField } from '#web/ui/CopyField.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { SectionHead } from '#web/ui/PageHead.tsx'
import { SubPage } from '#web/ui/SubPage.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { Stack } from '#web/ui/Wrap.tsx'
import { testQuery } from '../deskQueries.ts'
import { ResultRows } from './ResultRows.tsx'
import styles from './TestScreen.module.css'
import { testAddress } from './testAddress.ts'

/** One usability test: its link and the progress of each person. */
export function TestScreen() {
  const { testId = '' } = useParams()
  const query = useQuery(testQuery(Number(testId)))
  const { data: test } = query
  const title = test?.title ?? deskText.testsTitle
  return (
    <SubPage page={title} backTo="/support/tests" back={deskText.toTests}>
      {test ? (
        <Results test={test} refreshing={query.isFetching} onRefresh={() => void query.refetch()} />
      ) : (
        <NotLoaded
          query={query}
          loading={deskText.loadingTest}
          failed={deskText.testFailed}
          detailPx={210}
        />
      )}
    </SubPage>
  )
}

interface ResultsProps {
  test: OutputOf<'support.getTest'>
  refreshing: boolean
  onRefresh: () => void
}

function Results({ test, refreshing, onRefresh }: ResultsProps) {
  return (
    <Stack>
      <CopyField
        label={deskText.address}
        text={testAddress(test.id)}
        copyLabel={deskText.copy}
        messages={{
          copied: deskText.copied,
          failed: deskText.copyFailed,
          failedText: deskText.copyFailedText,
        }}
      />
      <section aria-labelledby="tasks">
        <SectionHead id="tasks" title={deskText.tasks} />
        <div className={styles.written}>
          {test.guidelines && <p className={styles.text}>{test.guidelines}</p>}
          <ol className={styles.tasks}>
            {test.tasks.map((task, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- a test never changes
              <li key={index}>
                <b className={typography.lead}>{task.title}</b>
                {task.description && <span className={styles.text}>{task.description}</span>}
              </li>
            ))}
          </ol>
        </div>
      </section>
      <section aria-labelledby="results">
        <SectionHead id="results" title={deskText.results} />
        {test.people.length === 0 ? (
          <p className={styles.none}>{deskText.noResults}</p>
        ) : (
          test.people.map(person => <ResultRows key={person.id} test={test} person={person} />)
        )}
      </section>
      <Button variant="quiet" busy={refreshing} onClick={onRefresh}>
        {deskText.refresh}
      </Button>
    </Stack>
  )
}
