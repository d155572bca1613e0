// The pages of the HTTP API, from `openapi.json`: one of each tag with its operations, and one with all shapes.
import { anchorOf } from './places.mjs';
import { plain, table } from './markdown.mjs';

export const problemAddress = (code) => `/problems/${code.toLowerCase().replaceAll('_', '-')}`;

/** All operations of the document, with their methods and paths. */
export const operationsOf = ({ paths }) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, ...operation })),
  );

/** The codes with which an operation refuses. Its answers name each in their description. */
export const codesOf = ({ responses }) =>
  Object.values(responses).flatMap(({ description }) =>
    Array.from(description.matchAll(/^`([A-Z_]+)`:/gm), ([, code]) => code),
  );

const capital = (word) => word.charAt(0).toUpperCase() + word.slice(1);
const nameOf = ($ref) => $ref.slice($ref.lastIndexOf('/') + 1);

/** A schema in a few words, with links to the shapes that it names. */
function typeOf(schema) {
  if (schema === undefined) return 'any JSON';
  if (schema.$ref) return `[${nameOf(schema.$ref)}](/api/shapes#${anchorOf(nameOf(schema.$ref))})`;
  const some = schema.oneOf ?? schema.anyOf ?? schema.allOf;
  if (some) return some.map(typeOf).join(' or ');
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(', ');
  if (schema.type === 'array') return `list of ${typeOf(schema.items)}`;
  if (schema.type === undefined) return 'any JSON';
  return [schema.type].flat().join(' or ') + (schema.nullable ? ' or null' : '');
}

const fields = ({ properties = {}, required = [] }) =>
  table(
    ['Field', 'Type', 'Meaning'],
    Object.entries(properties).map(([name, schema]) => [
      `\`${name}\`${required.includes(name) ? '' : ' (optional)'}`,
      typeOf(schema),
      plain(schema.description ?? ''),
    ]),
  );

const parameters = (all = []) =>
  table(
    ['Parameter', 'In', 'Type', 'Meaning'],
    all.map(({ name, in: place, required, schema, description = '' }) => [
      `\`${name}\`${required ? '' : ' (optional)'}`,
      place,
      typeOf(schema),
      plain(description),
    ]),
  );

const schemaIn = ({ content } = {}) => Object.values(content ?? {})[0]?.schema;

function answers({ responses }) {
  const good = Object.entries(responses).filter(([status]) => status < 400);
  return good
    .map(
      ([status, answer]) =>
        `**${status}** ${plain(answer.description)} ${schemaIn(answer) ? typeOf(schemaIn(answer)) : ''}`,
    )
    .join('\n\n');
}

const section = (operation) => `## ${operation.summary}

\`\`\`http
${operation.method} ${operation.path}
\`\`\`

${plain(operation.description ?? '')}

${permissions(operation)}

${parameters(operation.parameters)}

${operation.requestBody ? `**Body:** ${typeOf(schemaIn(operation.requestBody))}` : ''}

${answers(operation)}

**Refused with:** ${codesOf(operation)
  .map((code) => `[\`${code}\`](${problemAddress(code)})`)
  .join(', ')}
`;

const permissions = ({ 'x-waybill': says }) =>
  says?.permissions?.length > 0
    ? `An API key needs the permission ${says.permissions.map((one) => `\`${one}\``).join(' or ')}.`
    : '';

/** The pages, by the files that they are. */
export function apiPages(document) {
  const operations = operationsOf(document);
  const tags = [...new Set(operations.flatMap(({ tags }) => tags.slice(0, 1)))];
  const pages = tags.map((tag) => {
    const own = operations.filter((operation) => operation.tags[0] === tag);
    return [`api/${tag}.md`, `# HTTP API: ${tag}\n\n${own.map(section).join('\n')}`];
  });
  const lists = tags.map((tag) => {
    const own = operations.filter((operation) => operation.tags[0] === tag);
    const rows = own.map(({ method, path, summary }) => [
      `[${summary}](/api/${tag}#${anchorOf(summary)})`,
      `\`${method} ${path}\``,
    ]);
    return `## ${capital(tag)}\n\n${table(['Operation', 'Path'], rows)}\n`;
  });
  return new Map([
    ...pages,
    ['api/index.md', `${INTRODUCTION}\n${lists.join('\n')}`],
    ['api/shapes.md', shapes(document)],
  ]);
}

const INTRODUCTION = `# HTTP API

Every operation of the service, generated from its \`openapi.json\`. A running service has the same document at \`/openapi.json\`, and lets you try the operations at \`/docs\`.
Bodies and answers are JSON. A refusal is \`application/problem+json\` with a \`code\`: [all codes](/reference/problems). The [shapes](/api/shapes) of bodies and answers are on one page.
`;

const shapes = ({ components }) =>
  `---\nsearch: false\noutline: false\n---\n\n# Shapes of the HTTP API\n\n${Object.entries(components.schemas)
    .map(
      ([name, schema]) =>
        `## ${name}\n\n${plain(schema.description ?? '')}\n\n${schema.properties ? fields(schema) : typeOf(schema)}\n`,
    )
    .join('\n')}`;
