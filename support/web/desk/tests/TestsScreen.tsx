import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { deskText } from '#support/web/text/desk.ts'
import { Empty } from '#web/ui/Empty.tsx'
import { LinkButton } from '#web/ui/LinkButton.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { SectionHead } from '#web/ui/PageHead.tsx'
import { Row, Rows } from '#web/ui/Rows.tsx'
import { SubPage } from '#web/ui/SubPage.tsx'
import { ThreeLetterPlate } from '#web/ui/ThreeLetterPlate.tsx'
import { Stack } from '#web/ui/Wrap.tsx'
import { testsQuery } from '../deskQueries.ts'
import { testAddress } from './testAddress.ts'

/** All usability tests with their links, newest first. */
export function TestsScreen() {
  return (
    <SubPage
      page={deskText.testsTitle}
      sub={deskText.testsSub}
      backTo="/support"
      back={deskText.back}
    >
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
    </SubPage>
  )
}

function TestRows() {
  const query = useQuery(testsQuery)
  const { data: tests } = query
  if (!tests)
    return (
      <NotLoaded
        query={query}
        loading={deskText.loadingTests}
        failed={deskText.testsFailed}
        detailPx={210}
      />
    )
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
