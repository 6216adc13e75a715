import { validatorCompiler as zodValidatorCompiler } from 'fastify-type-provider-zod'
import { Refusal } from '#contract/refusal.ts'

/** Validates requests by their schemas. An error thrown by a schema is a refusal too: see `parseSafely`. */
export const validatorCompiler: typeof zodValidatorCompiler = route => {
  const validate = zodValidatorCompiler(route)
  return data => {
    try {
      return validate(data)
    } catch {
      return { error: new Refusal('invalid-input') }
    }
  }
}
