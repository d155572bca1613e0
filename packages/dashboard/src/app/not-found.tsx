import { Link } from '@tanstack/react-router';
import { Empty } from '../ui/notice.js';

export const NotFound = () => (
  <Empty title="There is no such page">
    <p>
      The address may be of another version. <Link to="/">Go to Home</Link>.
    </p>
  </Empty>
);
