import type { TaskGraph } from '@waybill/client';
import type { UseQueryResult } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useBatch } from '../batches/batches.queries.js';
import { Card } from '../ui/card.js';
import { Empty } from '../ui/notice.js';
import { PageHead } from '../ui/page-head.js';
import { Shown } from '../ui/shown.js';
import { Stack } from '../ui/stack.js';
import { Cause } from './cause.js';
import { GraphDrawing } from './graph-drawing.js';
import { useBatchGraph, useTaskGraph } from './graph.queries.js';
import { sizeOf } from './graph-size.js';
import { GraphTable } from './graph-table.js';
import { nameOf } from './node-words.js';

const ofTask = getRouteApi('/tasks/$id/graph');
const ofBatch = getRouteApi('/batches/$id/graph');

export function TaskGraphPage() {
  const { id } = ofTask.useParams();
  const graph = useTaskGraph(id);
  const own = graph.data?.nodes.find((node) => node.id === id);
  return (
    <Page
      graph={graph}
      name={own && nameOf(own)}
      back={
        <Link to="/tasks/$id" params={{ id }}>
          The task
        </Link>
      }
    />
  );
}

export function BatchGraphPage() {
  const { id } = ofBatch.useParams();
  return (
    <Page
      graph={useBatchGraph(id)}
      name={useBatch(id).data?.name}
      back={
        <Link to="/batches/$id" params={{ id }}>
          The batch
        </Link>
      }
    />
  );
}

interface PageProps {
  readonly graph: UseQueryResult<TaskGraph>;
  /** What people know it by, once that is read. */
  readonly name: string | undefined;
  readonly back: ReactNode;
}

const Page = ({ graph, name, back }: PageProps) => (
  <>
    <PageHead title={name === undefined ? 'Graph' : `Graph of ${name}`} under={back} />
    <Shown of={graph}>{(data) => <Graph graph={data} />}</Shown>
  </>
);

/** A browser needs a second for as many, and a person cannot tell them apart. */
export const MOST_DRAWN = 400;

/** Drawn, and as a table below. */
export const Graph = ({ graph }: { graph: TaskGraph }) => (
  <Stack>
    <Cause graph={graph} />
    <Card title={sizeOf(graph)} flush>
      {graph.nodes.length > MOST_DRAWN ? (
        <Empty title={`A graph of more than ${MOST_DRAWN} nodes is not drawn`} />
      ) : (
        <GraphDrawing graph={graph} />
      )}
    </Card>
    <Card title="As a table" flush>
      <GraphTable graph={graph} />
    </Card>
  </Stack>
);
