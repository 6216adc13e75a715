import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { deskText } from '#support/web/text/desk.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { appText } from '#web/text/app.ts'
import { BackLink, Bar } from '#web/ui/Bar.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { LinkButton } from '#web/ui/LinkButton.tsx'
import { LoadFailed } from '#web/ui/LoadFailed.tsx'
import { PageHead, SectionHead } from '#web/ui/PageHead.tsx'
import { Row, Rows } from '#web/ui/Rows.tsx'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'
import { ThreeLetterPlate } from '#web/ui/ThreeLetterPlate.tsx'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Stack, Wrap } from '#web/ui/Wrap.tsx'
import { testsQuery } from '../deskQueries.ts'
import { testAddress } from './testAddress.ts'

/** All usability tests with their links, newest first. */
export function TestsScreen() {
  usePageTitle(deskText.testsTitle)
  return (
    <>
      <Bar>
        <BackLink to="/support" lead={appText.backTo}>
          {deskText.back}
        </BackLink>
      </Bar>
      <Wrap>
        <PageHead title={deskText.testsTitle} sub={deskText.testsSub} />
        <Stack>
          <LinkButton variant="quiet" to="/support/tests/new">
            <Plus aria-hidden />
            {deskText.newTest}
          </LinkButton>
          <section aria-labelledby="tests">
            <SectionHead id="tests" title={deskText.testsHeading} />
            <TestRows />
          </section>
        </Stack>
      </Wrap>
    </>
  )
}

function TestRows() {
  const { data: tests, error, isFetching, refetch } = useQuery(testsQuery)
  if (!tests && error) {
    return (
      <LoadFailed
        title={deskText.testsFailed}
        message={refusalText(error)}
        retryLabel={appText.tryAgain}
        retrying={isFetching}
        onRetry={() => void refetch()}
      />
    )
  }
  if (!tests) return <SkeletonRows label={deskText.loadingTests} detailPx={210} />
  if (tests.length === 0) return <Empty title={deskText.noTests}>{deskText.noTestsText}</Empty>
  return (
    <Rows labelledBy="tests">
      {tests.map(test => (
        <Row
          key={test.id}
          to={`/support/tests/${test.id}`}
          plate={<ThreeLetterPlate name={test.title} quiet />}
          title={test.title}
          detail={testAddress(test.id)}
        />
      ))}
    </Rows>
  )
}
