import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import type { OutputOf } from '#contract/api.ts'
import { deskText } from '#support/web/text/desk.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { appText } from '#web/text/app.ts'
import { BackLink, Bar } from '#web/ui/Bar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { CopyField } from '#web/ui/CopyField.tsx'
import { LoadFailed } from '#web/ui/LoadFailed.tsx'
import { PageHead, SectionHead } from '#web/ui/PageHead.tsx'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Stack, Wrap } from '#web/ui/Wrap.tsx'
import { testQuery } from '../deskQueries.ts'
import { ResultRows } from './ResultRows.tsx'
import styles from './TestScreen.module.css'
import { testAddress } from './testAddress.ts'

/** One usability test: its link and the progress of each person. */
export function TestScreen() {
  const { testId = '' } = useParams()
  const { data: test, error, isFetching, refetch } = useQuery(testQuery(Number(testId)))
  const title = test?.title ?? deskText.testsTitle
  usePageTitle(title)
  return (
    <>
      <Bar>
        <BackLink to="/support/tests" lead={appText.backTo}>
          {deskText.toTests}
        </BackLink>
      </Bar>
      <Wrap>
        <PageHead title={title} />
        {test ? (
          <Results test={test} refreshing={isFetching} onRefresh={() => void refetch()} />
        ) : error ? (
          <LoadFailed
            title={deskText.testFailed}
            message={refusalText(error)}
            retryLabel={appText.tryAgain}
            retrying={isFetching}
            onRetry={() => void refetch()}
          />
        ) : (
          <SkeletonRows label={deskText.loadingTest} detailPx={210} />
        )}
      </Wrap>
    </>
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
