import { useQuery } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { useNavigate, useSearchParams } from 'react-router'
import { joinCodeLength, plainJoinCode } from '#contract/shared/joinCode.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { joinText } from '#web/text/join.ts'
import { Bar, BarLogo } from '#web/ui/Bar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { LinkButton } from '#web/ui/LinkButton.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Stack, Wrap } from '#web/ui/Wrap.tsx'
import { JoinForm } from './JoinForm.tsx'
import styles from './JoinScreen.module.css'
import { JoinState } from './JoinState.tsx'
import { foundTeamQuery } from './joinQueries.ts'

/** Joins a team with a code, for anybody: the code, the name, and waiting until a member lets them in. */
export function JoinScreen({ code }: { code: string }) {
  usePageTitle(joinText.page)
  const [search] = useSearchParams()
  const teamId = search.get('team')
  return (
    <>
      <Bar>
        <BarLogo />
      </Bar>
      <Wrap>
        {teamId !== null ? (
          <JoinState teamId={teamId} />
        ) : code === '' ? (
          <EnterCode />
        ) : (
          <Found code={plainJoinCode(code)} />
        )}
      </Wrap>
    </>
  )
}

function EnterCode() {
  const navigate = useNavigate()
  const { register, handleSubmit, formState } = useForm({ defaultValues: { code: '' } })
  return (
    <>
      <PageHead title={joinText.enterTitle} sub={joinText.enterSub} />
      <form
        noValidate
        onSubmit={event =>
          void handleSubmit(({ code }) => navigate(`/join/${plainJoinCode(code)}`))(event)
        }
      >
        <Stack>
          <Field
            {...register('code', {
              validate: code =>
                plainJoinCode(code).length === joinCodeLength || joinText.codeMissing,
            })}
            label={joinText.code}
            error={formState.errors.code?.message}
            {...(styles.code && { className: styles.code })}
            autoCapitalize="characters"
            autoComplete="off"
            spellCheck={false}
            maxLength={2 * joinCodeLength}
          />
          <Button type="submit">{joinText.next}</Button>
        </Stack>
      </form>
    </>
  )
}

function Found({ code }: { code: string }) {
  const { data: found, error } = useQuery(foundTeamQuery(code))
  if (found) return <JoinForm code={code} found={found} />
  if (!error) return <SkeletonRows label={joinText.loading} detailPx={160} />
  return (
    <>
      <PageHead title={joinText.notFound} sub={refusalText(error)} />
      <LinkButton variant="quiet" to="/join">
        {joinText.anotherCode}
      </LinkButton>
    </>
  )
}
