import { ApiProperty, ApiSchema, type ApiSchemaOptions } from '@nestjs/swagger';

export class ProblemError {
  @ApiProperty({
    type: 'string',
    example: '/tasks/3/priority',
    description: 'A JSON pointer into the body, or `#/query/…`, `#/path/…` or `#/headers/…`.',
  })
  pointer!: string;

  @ApiProperty({ type: 'string', example: 'Expected an integer from 0 to 9, but got text of 4 characters' })
  detail!: string;
}

const WITH_FURTHER_FIELDS: ApiSchemaOptions & { additionalProperties: object } = {
  description: 'RFC 9457 problem details. Further members are the facts of the refusal.',
  additionalProperties: {},
};

@ApiSchema(WITH_FURTHER_FIELDS)
export class Problem {
  @ApiProperty({ type: 'string', example: 'https://waybill.dev/problems/task-not-found' })
  type!: string;

  @ApiProperty({ type: 'string', example: 'No such task' })
  title!: string;

  @ApiProperty({ type: 'integer', example: 404 })
  status!: number;

  @ApiProperty({ type: 'string' })
  detail!: string;

  @ApiProperty({ type: 'string', required: false, description: 'The path of the request.' })
  instance?: string;

  @ApiProperty({ type: 'string', example: 'TASK_NOT_FOUND', description: 'The code to branch on.' })
  code!: string;

  @ApiProperty({ type: 'string', required: false, description: "Identifies the request in the service's logs." })
  traceId?: string;

  @ApiProperty({ type: () => [ProblemError], required: false })
  errors?: ProblemError[];

  [fact: string]: unknown;
}
