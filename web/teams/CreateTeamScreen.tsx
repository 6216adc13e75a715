import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { maxNameLetters } from '#contract/shared/bounds.ts'
import { ProfileMenu } from '#web/account/ProfileMenu.tsx'
import { command } from '#web/api/call.ts'
import { showRefusedFields } from '#web/api/showRefusedFields.ts'
import { appText } from '#web/text/app.ts'
import { teamsText } from '#web/text/teams.ts'
import { BackLink, Bar, BarGap } from '#web/ui/Bar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Stack, Wrap } from '#web/ui/Wrap.tsx'

export function CreateTeamScreen() {
  usePageTitle(teamsText.add)
  const toasts = useToasts()
  const navigate = useNavigate()
  const { register, handleSubmit, formState, setError } = useForm({
    mode: 'onTouched',
    defaultValues: { name: '' },
  })
  const create = useMutation({
    mutationFn: (input: { name: string }) => command('teams.create', input),
    onMutate: () => toasts.dismiss('create-team'),
    onSuccess: team => {
      toasts.success(appText.success, teamsText.created(team.name))
      return navigate(`/teams/${team.id}`, { replace: true })
    },
    onError: reason => {
      showRefusedFields(reason, ['name'], setError)
      toasts.error(appText.error, teamsText.createFailed, 'create-team')
    },
  })
  return (
    <>
      <Bar>
        <BackLink to="/teams">{appText.back}</BackLink>
        <BarGap />
        <ProfileMenu />
      </Bar>
      <Wrap>
        <PageHead title={teamsText.add} sub={teamsText.addSub} />
        <form noValidate onSubmit={event => void handleSubmit(it => create.mutate(it))(event)}>
          <Stack>
            <Field
              {...register('name', {
                validate: text => text.trim() !== '' || teamsText.nameMissing,
              })}
              label={teamsText.name}
              error={formState.errors.name?.message}
              placeholder={teamsText.nameExample}
              maxLength={maxNameLetters}
              autoComplete="off"
            />
            <Button type="submit" disabled={!formState.isValid} busy={create.isPending}>
              {teamsText.create}
            </Button>
          </Stack>
        </form>
      </Wrap>
    </>
  )
}
