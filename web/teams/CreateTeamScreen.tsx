import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { maxNameLetters } from '#contract/shared/bounds.ts'
import { ProfileMenu } from '#web/account/ProfileMenu.tsx'
import { command } from '#web/api/call.ts'
import { CallRefused } from '#web/api/callRefused.ts'
import { showRefusedFields } from '#web/api/showRefusedFields.ts'
import { appText } from '#web/text/app.ts'
import { teamsText } from '#web/text/teams.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { required } from '#web/ui/required.ts'
import { SubPage } from '#web/ui/SubPage.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import { Stack } from '#web/ui/Wrap.tsx'

export function CreateTeamScreen() {
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
      const detail = reason instanceof CallRefused ? reason.detail : null
      toasts.error(appText.error, detail ?? teamsText.createFailed, 'create-team')
    },
  })
  return (
    <SubPage
      page={teamsText.add}
      sub={teamsText.addSub}
      backTo="/teams"
      back={appText.back}
      lead=""
      bar={<ProfileMenu />}
    >
      <form noValidate onSubmit={event => void handleSubmit(it => create.mutate(it))(event)}>
        <Stack>
          <Field
            {...register('name', required(teamsText.nameMissing))}
            label={teamsText.name}
            error={formState.errors.name?.message}
            placeholder={teamsText.nameExample}
            maxLength={maxNameLetters}
          />
          <Button type="submit" disabled={!formState.isValid} busy={create.isPending}>
            {teamsText.create}
          </Button>
        </Stack>
      </form>
    </SubPage>
  )
}
