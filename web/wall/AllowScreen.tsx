import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { useSearchParams } from 'react-router'
import { maxNameLetters } from '#contract/shared/bounds.ts'
import type { WaitingTelevision } from '#contract/televisions.ts'
import { command } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { teamsQuery } from '#web/api/teamQueries.ts'
import { teamsText } from '#web/text/teams.ts'
import { televisionsText } from '#web/text/televisions.ts'
import { Button } from '#web/ui/Button.tsx'
import { CodeField } from '#web/ui/CodeField.tsx'
import { LinkButton } from '#web/ui/LinkButton.tsx'
import { LogoPage } from '#web/ui/LogoPage.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Stack } from '#web/ui/Wrap.tsx'
import { type Allowed, AllowForm } from './AllowForm.tsx'

/** A member enters the code of a television, checks which one it is, and chooses the team that it shows. */
export function AllowScreen() {
  usePageTitle(televisionsText.allowTitle)
  const [search] = useSearchParams()
  const [allowed, setAllowed] = useState<Allowed | null>(null)
  const { data: teams } = useQuery(teamsQuery)
  const { register, handleSubmit, formState, setError } = useForm({
    defaultValues: { code: digitsOf(search.get('code')) },
  })
  const find = useMutation({
    mutationFn: ({ code }: { code: string }) => command('televisions.find', { code }),
    onError: reason => setError('code', { message: refusalText(reason) }),
  })
  const television: WaitingTelevision | undefined = find.data
  return (
    <LogoPage to="/teams">
      {allowed ? (
        <>
          <PageHead
            title={televisionsText.allowed(allowed.name, allowed.team.name)}
            sub={televisionsText.allowedText}
          />
          <Stack>
            <LinkButton to={`/teams/${allowed.team.id}`}>{teamsText.toTeam}</LinkButton>
            <LinkButton variant="quiet" to={`/teams/${allowed.team.id}/televisions`}>
              {televisionsText.title}
            </LinkButton>
          </Stack>
        </>
      ) : television ? (
        <AllowForm
          television={television}
          teams={teams?.filter(({ role }) => role !== 'viewer')}
          preferred={search.get('team')}
          onAllowed={setAllowed}
          onCancel={() => find.reset()}
        />
      ) : (
        <>
          <PageHead title={televisionsText.allowTitle} sub={televisionsText.allowSub} />
          <form noValidate onSubmit={event => void handleSubmit(it => find.mutate(it))(event)}>
            <Stack>
              <CodeField
                {...register('code', {
                  validate: code => code.length === 6 || televisionsText.codeMissing,
                })}
                label={televisionsText.code}
                error={formState.errors.code?.message}
                digits={6}
                maxLength={maxNameLetters}
              />
              <Button type="submit" busy={find.isPending}>
                {televisionsText.find}
              </Button>
            </Stack>
          </form>
        </>
      )}
    </LogoPage>
  )
}

function digitsOf(code: string | null): string {
  return (code ?? '').replaceAll(/\D/g, '').slice(0, 6)
}
