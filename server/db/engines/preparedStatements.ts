import { type PGlite, parse, protocol, type Results, types } from '@electric-sql/pglite'
import { isPrepared } from '../prepared.ts'

const { serialize } = protocol

/** Numbers the statements of this thread: tests open several engines on one PGlite. */
let lastNumber = 0

/** Name of the unnamed statement, which PostgreSQL keeps only until it parses the next one. */
const unnamed = ''

interface Statement {
  name: string
  parameterTypes: readonly number[]
}

/**
 * Runs parameterised statements of a PGlite. Statements marked as `prepared` are parsed once, and PostgreSQL decides
 * whether to plan them again. Others are parsed and planned for each run, which takes longer than running them. The
 * text of a marked statement must not vary, because prepared statements are never closed.
 */
export class PreparedStatements {
  readonly #pglite: PGlite
  readonly #known = new Map<string, Statement>()

  readonly #isPrepared: (text: string) => boolean

  /** `isMarked` replaces the mark in tests, which prepare every statement. */
  constructor(pglite: PGlite, isMarked: (text: string) => boolean = isPrepared) {
    this.#pglite = pglite
    this.#isPrepared = isMarked
  }

  /** Runs a statement in at most two calls of the protocol. PGlite's own `query` makes six. */
  async run(
    text: string,
    parameters: readonly unknown[],
  ): Promise<Results<Record<string, unknown>>> {
    return this.#pglite.runExclusive(async () => {
      const statement = this.#isPrepared(text)
        ? (this.#known.get(text) ?? (await this.#prepare(text)))
        : await this.#parse(unnamed, text)
      const values = parameters.map((value, index) => this.#serialize(value, statement, index))
      const messages = await this.#send(
        serialize.bind({ statement: statement.name, values }),
        serialize.describe({ type: 'P' }),
        serialize.execute({}),
        serialize.sync(),
      )
      const [result] = parse.parseResults(messages, this.#pglite.parsers)
      return result as Results<Record<string, unknown>>
    })
  }

  async #prepare(text: string): Promise<Statement> {
    const statement = await this.#parse(`prepared ${++lastNumber}`, text)
    this.#known.set(text, statement)
    return statement
  }

  async #parse(name: string, text: string): Promise<Statement> {
    const described = await this.#send(
      serialize.parse({ name, text }),
      serialize.describe({ type: 'S', name }),
      serialize.sync(),
    )
    return { name, parameterTypes: parse.parseDescribeStatementResults(described) }
  }

  /** Serializes a parameter as text, except bytes, which are in the binary format of their type. */
  #serialize(value: unknown, { parameterTypes }: Statement, index: number) {
    if (value === null || value === undefined) return null
    if (value instanceof Uint8Array) return value
    const { serializers } = this.#pglite
    const serializer = serializers[parameterTypes[index] ?? types.TEXT] ?? serializers[types.TEXT]
    if (!serializer) throw new Error('PGlite cannot serialize a parameter.')
    return serializer(value)
  }

  /** Sends messages of the wire protocol together. Throws the first error of the database. */
  #send(...messages: Uint8Array[]) {
    return this.#pglite.execProtocolStream(Buffer.concat(messages), { syncToFs: false })
  }
}
