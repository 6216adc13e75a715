import { useQuery } from '@tanstack/react-query'
import { loginQuery } from '#web/api/loginQuery.ts'
import { teamsQuery } from '#web/api/teamQueries.ts'
import { appText } from '#web/text/app.ts'
import { televisionsText } from '#web/text/televisions.ts'
import { LinkButton } from '#web/ui/LinkButton.tsx'
import { LogoPage } from '#web/ui/LogoPage.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Stack, Wrap } from '#web/ui/Wrap.tsx'
import { Pairing } from './Pairing.tsx'

/** The code of a television that is not connected, or the choice of a signed-in member. */
export function UnpairedTelevision() {
  const query = useQuery(loginQuery)
  if (!query.data)
    return (
      <Wrap>
        <NotLoaded query={query} failed={appText.unreachableTitle} whole />
      </Wrap>
    )
  const { login } = query.data
  return login && login.user.kind !== 'anonymous' ? (
    <OwnTeams email={login.user.email} />
  ) : (
    <Pairing />
  )
}

/** A browser of a member needs no other login. */
function OwnTeams({ email }: { email: string | null }) {
  usePageTitle(televisionsText.signedInTitle)
  const { data: teams } = useQuery(teamsQuery)
  return (
    <LogoPage to="/teams">
      <PageHead
        title={televisionsText.signedInTitle}
        sub={televisionsText.signedInSub(email ?? '')}
      />
      <Stack>
        {teams?.map(({ id, name }) => (
          <LinkButton key={id} variant="quiet" to={`/teams/${id}/wall?big`}>
            {name}
          </LinkButton>
        ))}
        <p>{televisionsText.asAnother}</p>
      </Stack>
    </LogoPage>
  )
}
